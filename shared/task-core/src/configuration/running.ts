// Where an agent keeps its data, how it logs, and how it works through its tasks.
import { defaultSettings } from '../settings.ts'
import type { Synchronous } from '../store/index.ts'
import { type Part, whole } from './part.ts'

export interface Running {
  dataDir: string
  logLevel: string
  logFormat: 'json' | 'pretty'
  synchronous: Synchronous
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export const running: Part<Running> = {
  properties: {
    DATA_DIR: { type: 'string', minLength: 1, default: 'data' },
    LOG_LEVEL: { type: 'string', enum: levels, default: 'info' },
    LOG_FORMAT: { type: 'string', enum: ['json', 'pretty'], default: 'json' },
    SQLITE_SYNCHRONOUS: { type: 'string', enum: ['NORMAL', 'FULL'], default: 'NORMAL' },
  },
  read: (values) => ({
    dataDir: values.DATA_DIR,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    synchronous: values.SQLITE_SYNCHRONOUS,
  }),
}

/** How long tasks wait, and how they run. */
export const tasks = {
  properties: {
    INPUT_TTL: whole(1, defaultSettings.inputTtl),
    APPROVAL_TTL: whole(1, defaultSettings.approvalTtl),
    MAX_TURNS: whole(1, defaultSettings.maxTurns),
    STREAM_ARTIFACTS: { type: 'boolean', default: defaultSettings.streamArtifacts },
  },
  read: (values) => ({
    inputTtl: values.INPUT_TTL,
    approvalTtl: values.APPROVAL_TTL,
    maxTurns: values.MAX_TURNS,
    streamArtifacts: values.STREAM_ARTIFACTS,
  }),
} satisfies Part<object>
