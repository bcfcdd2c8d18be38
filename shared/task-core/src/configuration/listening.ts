// Where an agent listens, and which addresses it tells others.
import { defaultSettings } from '../settings.ts'
import { type Part, whole } from './part.ts'
import { patterns, readOrigins, readPort } from './values.ts'

export interface Listening {
  host: string
  port: number
  publicUrl: string | undefined
  /** Undefined if there is no gRPC. */
  grpcPort: number | undefined
  grpcPublicUrl: string | undefined
}

/** The ports are the agent's own defaults. */
export const listening = ({
  port,
  grpcPort,
}: {
  port: number
  grpcPort?: number | undefined
}): Part<Listening> => ({
  properties: {
    HOST: { type: 'string', minLength: 1, default: '127.0.0.1' },
    PORT: { type: 'integer', minimum: 0, maximum: 65535, default: port },
    PUBLIC_URL: { type: 'string', pattern: patterns.PUBLIC_URL },
    GRPC_PORT: { type: 'string', pattern: patterns.GRPC_PORT, default: String(grpcPort ?? 'off') },
    GRPC_PUBLIC_URL: { type: 'string', pattern: patterns.GRPC_PUBLIC_URL },
  },
  read: (values) => ({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    grpcPort: values.GRPC_PORT === 'off' ? undefined : readPort(values.GRPC_PORT),
    grpcPublicUrl: values.GRPC_PUBLIC_URL,
  }),
})

/** How its server behaves towards those who call. */
export const serving = {
  properties: {
    HEARTBEAT_MS: whole(100, defaultSettings.heartbeat),
    CORS_ORIGINS: { type: 'string', pattern: patterns.CORS_ORIGINS },
  },
  read: (values) => ({ heartbeat: values.HEARTBEAT_MS, corsOrigins: readOrigins(values.CORS_ORIGINS) }),
} satisfies Part<object>
