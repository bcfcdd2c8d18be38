// Requests of 0.3 in both shapes, and the push notification configs in them.
import { describe, expect, test } from 'vitest'
import { readConfig, readConfigName, readSetConfig, writeConfig } from './push-configs.ts'
import { readProtoSend, readSend } from './requests.ts'
import { jsonShape, protoShape } from './shape.ts'

const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }
const configured = (read: (params: unknown) => unknown, configuration?: object) =>
  (read({ message, configuration }) as { configuration?: object }).configuration

describe('whether a call waits', () => {
  test.each([
    [undefined, undefined],
    [{}, false],
    [{ blocking: true }, false],
    [{ blocking: false }, true],
    [{ blocking: null }, false],
    [{ blocking: 'yes' }, 'yes'],
  ])('in JSON, %j gives returnImmediately %j', (configuration, returnImmediately) => {
    expect(configured(readSend, configuration)).toEqual(configuration && { returnImmediately })
  })

  test.each([
    [undefined, undefined],
    [{}, true],
    [{ blocking: true }, false],
    [{ blocking: false }, true],
  ])('in ProtoJSON, %j gives returnImmediately %j', (configuration, returnImmediately) => {
    expect(configured(readProtoSend, configuration)).toEqual(configuration && { returnImmediately })
  })
})

test('a history length of 0 is none in JSON, and all in ProtoJSON', () => {
  expect(configured(readSend, { historyLength: 0 })).toMatchObject({ historyLength: 0 })
  expect(configured(readProtoSend, { historyLength: 0 })).not.toHaveProperty('historyLength')
  expect(configured(readProtoSend, { history_length: 2 })).toMatchObject({ historyLength: 2 })
})

test('a message is found by each name that clients have for it, and its parts too', () => {
  const proto = { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hi' }] }
  const expected = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } }
  expect(readSend({ message })).toMatchObject(expected)
  expect(readProtoSend({ message })).toMatchObject(expected)
  expect(readProtoSend({ message: proto })).toMatchObject(expected)
  expect(readProtoSend({ request: proto })).toMatchObject(expected)
})

test('a file is found by each name that clients have for it', () => {
  const parts = [
    { kind: 'file', file: { bytes: 'aGk=', mimeType: 'image/png', name: 'a' } },
    { file: { fileWithBytes: 'aGk=', mimeType: 'image/png', name: 'a' } },
    { file: { file_with_bytes: 'aGk=', mime_type: 'image/png', name: 'a' } },
  ]
  const { message: read } = readSend({ message: { ...message, parts } }) as { message: { parts: unknown[] } }
  expect(read.parts).toEqual(Array(3).fill({ raw: 'aGk=', mediaType: 'image/png', filename: 'a' }))
})

describe('a push notification config', () => {
  const config = { id: 'c', url: 'https://example.com/hook', token: 't' }
  const authentication = { schemes: ['Bearer', 'Basic'], credentials: 'secret' }
  const expected = { ...config, authentication: { scheme: 'Bearer', credentials: 'secret' } }

  test('has the first of its schemes', () => {
    expect(readConfig({ ...config, authentication })).toEqual(expected)
    expect(readConfig({ ...config, authentication: { schemes: [] } })).toEqual(config)
  })

  test.each(['pushNotificationConfig', 'pushNotification', 'push_notification'])('is found as %s', (name) => {
    expect(configured(readProtoSend, { [name]: { ...config, authentication } })).toMatchObject({
      taskPushNotificationConfig: expected,
    })
  })

  test.each([
    ['JSON', { taskId: 'T', pushNotificationConfig: config }],
    ['ProtoJSON', { taskId: 'T', name: 'tasks/T/pushNotificationConfigs/x', pushNotificationConfig: config }],
    ['ProtoJSON inside config', { taskId: 'T', config: { pushNotificationConfig: config } }],
    ['snake case', { taskId: 'T', push_notification_config: config }],
  ])('is set from %s', (_, params) => {
    expect(readSetConfig(params)).toEqual({ ...config, taskId: 'T' })
  })

  test.each([
    ['configId', { taskId: 'T', configId: 'x', config: { pushNotificationConfig: { url: 'u' } } }, 'x'],
    [
      'name',
      { taskId: 'T', name: 'tasks/T/pushNotificationConfigs/x', pushNotificationConfig: { url: 'u' } },
      'x',
    ],
    ['nothing', { taskId: 'T', pushNotificationConfig: { url: 'u' } }, 'T'],
  ])('without an id of its own has the one of %s', (_, params, id) => {
    expect(readSetConfig(params)).toMatchObject({ id })
  })

  test('is named by its task, and by its own id if there is one', () => {
    expect(readConfigName({ id: 'T' })).toEqual({ taskId: 'T' })
    expect(readConfigName({ id: 'T', pushNotificationConfigId: 'c' })).toEqual({ taskId: 'T', id: 'c' })
  })

  test('is written in the shape of either binding', () => {
    const nested = { ...config, authentication: { schemes: ['Bearer'], credentials: 'secret' } }
    const stored = { ...expected, taskId: 'T' }
    expect(writeConfig(stored, jsonShape)).toEqual({ taskId: 'T', pushNotificationConfig: nested })
    expect(writeConfig(stored, protoShape)).toEqual({
      name: 'tasks/T/pushNotificationConfigs/c',
      pushNotificationConfig: nested,
    })
  })
})
