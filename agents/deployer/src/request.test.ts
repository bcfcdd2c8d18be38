import type { Json, Message } from '@a2a-kit/task-core'
import { describe, expect, it } from 'vitest'
import { asksForBuilds, buildsQuestion, parseDeployRequest, readReply } from './request.ts'

const message = (...parts: Message['parts']): Message => ({ messageId: 'm', role: 'ROLE_USER', parts })
const text = (words: string) => message({ text: words })
const data = (value: Json) => message({ data: value })
const request = { build: '2026.10.06-1', environment: 'staging' }

describe('a request', () => {
  it.each([
    'Deploy build 2026.10.06-1 to staging',
    'deploy 2026.10.06-1 to staging',
    'Please deploy build 2026.10.06-1 of payments-api to staging.',
    'Deploy payments-api build 2026.10.06-1 to the Staging environment, thanks!',
    'I want to deploy 2026.10.06-1 from payments-api\nto staging',
    'Deploy 2026.10.06-1, the build of today, to staging',
  ])('is read from "%s"', (words) => {
    expect(parseDeployRequest(text(words))).toEqual(request)
  })

  it('is read from data, whatever text stands beside it', () => {
    expect(parseDeployRequest(data({ ...request }))).toEqual(request)
    expect(parseDeployRequest(data({ ...request, repository: 'payments-api' }))).toEqual(request)
    const both = message({ text: 'deploy build 1 to production' }, { data: { ...request } })
    expect(parseDeployRequest(both)).toEqual(request)
  })

  it('keeps names that are not known, for the one who knows them', () => {
    expect(parseDeployRequest(text('Deploy build nope to the moon'))).toEqual({
      build: 'nope',
      environment: 'moon',
    })
  })

  it.each([
    ['Deploy to staging', 'a build'],
    ['Deploy build to staging', 'a build'],
    ['Deploy build 2026.10.06-1', 'an environment'],
    ['Hello', 'a build and an environment'],
    ['', 'a build and an environment'],
  ])('that says only "%s" is asked for %s, with an example', (words, missing) => {
    expect(() => parseDeployRequest(text(words))).toThrow(
      `The request does not name ${missing}. Write for example "Deploy build 2026.10.06-1 to staging", ` +
        'or send the data {"build": "2026.10.06-1", "environment": "staging"}.',
    )
  })

  it.each<[Json, string]>([
    [{ environment: 'staging' }, 'does not name a build.'],
    [{ build: 7, environment: 'staging' }, '"build" in the data must be a text'],
    [{ build: '2026.10.06-1', environment: '' }, '"environment" in the data must be a text'],
    [
      { ...request, repository: 'ledger' },
      'This agent deploys builds of payments-api; the request is for ledger.',
    ],
    [['2026.10.06-1', 'staging'], 'does not name a build and an environment.'],
  ])('in the data %j is refused', (value, error) => {
    expect(() => parseDeployRequest(data(value))).toThrow(error)
  })

  it('for another repository is refused in text too', () => {
    expect(() => parseDeployRequest(text('Deploy build 7 of ledger to staging'))).toThrow('is for ledger')
  })
})

describe('the question for builds', () => {
  it.each([
    buildsQuestion,
    'Which builds are there?',
    'what builds do you have',
    ' Which builds can you deploy ?\n',
  ])('is "%s"', (words) => expect(asksForBuilds(text(words))).toBe(true))

  it.each([
    'Deploy build 2026.10.06-1 to staging',
    'Which builds are there? Deploy build 2026.10.06-1 to staging',
    'Which builds can be deployed to staging? If it is there, deploy 2026.10.06-1.',
    'Deploy build 2026.10.06-1 to staging. Which builds are there?',
    'which builds',
    '',
  ])('is not "%s"', (words) => expect(asksForBuilds(text(words))).toBe(false))

  it('is not a message that has more than the question', () => {
    expect(asksForBuilds(message({ text: buildsQuestion }, { data: { ...request } }))).toBe(false)
    expect(asksForBuilds(data({ ...request }))).toBe(false)
  })
})

describe('a message to a deploy that waits', () => {
  const known = { builds: ['2026.10.05-2', '2026.10.06-1'], environments: ['staging', 'production'] }
  const read = (reply: Message) => readReply(reply, request, known)

  it.each([
    'reject, wrong region',
    'Stop',
    'Please withdraw this.',
    "Don't deploy 2026.10.06-1 to staging",
    'No!',
    'Cancel, I meant production',
  ])('withdraws it by "%s"', (words) => {
    expect(read(text(words))).toEqual({ outcome: 'withdrawn', words })
  })

  it.each([
    ['2026.10.05-2 instead', { build: '2026.10.05-2' }],
    ['Sorry, not 2026.10.06-1 but 2026.10.05-2.', { build: '2026.10.05-2' }],
    ['Production, not staging', { environment: 'production' }],
    ['deploy build 2026.10.05-2 to production', { build: '2026.10.05-2', environment: 'production' }],
    ['use build 2026.11.01-1', { build: '2026.11.01-1' }],
    ['No, deploy 9.9.9 please', { build: '9.9.9' }],
  ])('corrects it by "%s"', (words, change) => {
    expect(read(text(words))).toEqual({ outcome: 'corrected', request: { ...request, ...change } })
  })

  it('corrects it by data, by one field or both', () => {
    expect(read(data({ environment: 'production' }))).toEqual({
      outcome: 'corrected',
      request: { ...request, environment: 'production' },
    })
    expect(read(data({ build: 'nope', environment: 'moon' }))).toEqual({
      outcome: 'corrected',
      request: { build: 'nope', environment: 'moon' },
    })
  })

  it.each([
    'approved',
    'Approved by Ann on 2026-10-06 at 09.30, go on to deploy',
    'yes, deploy build 2026.10.06-1 to staging now',
    'the build is fine',
    'how long will this take?',
    '',
  ])('changes nothing by "%s"', (words) => {
    expect(read(text(words))).toEqual({ outcome: 'other' })
  })

  it.each<Json>([{ approved: true }, { ...request }, 'approved', null])(
    'changes nothing by the data %j',
    (value) => {
      expect(read(data(value))).toEqual({ outcome: 'other' })
    },
  )
})
