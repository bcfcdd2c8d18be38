// Where an agent listens, and which addresses it tells others.
import { defaultSettings } from '../settings.ts'
import { type Part, type Values, whole } from './part.ts'
import { patterns, readOrigins, readPort } from './values.ts'

export interface Listening {
  host: string
  port: number
  publicUrl: string | undefined
  /** Undefined if there is no gRPC. */
  grpcPort: number | undefined
  grpcPublicUrl: string | undefined
}

/** The agent's own, for what the environment does not say. */
export interface DefaultPorts {
  port: number
  /** Undefined is no gRPC. */
  grpcPort?: number | undefined
}

/** The ports have no default in the schema, so that it is the same for every agent. */
export const listening = {
  properties: {
    HOST: { type: 'string', minLength: 1, default: '127.0.0.1' },
    PORT: { type: 'integer', minimum: 0, maximum: 65535 },
    PUBLIC_URL: { type: 'string', pattern: patterns.PUBLIC_URL },
    GRPC_PORT: { type: 'string', pattern: patterns.GRPC_PORT },
    GRPC_PUBLIC_URL: { type: 'string', pattern: patterns.GRPC_PUBLIC_URL },
  },
  read: (values: Values, ports: DefaultPorts): Listening => ({
    host: values.HOST,
    port: values.PORT ?? ports.port,
    publicUrl: values.PUBLIC_URL,
    grpcPort: values.GRPC_PORT === undefined ? ports.grpcPort : readGrpcPort(values.GRPC_PORT),
    grpcPublicUrl: values.GRPC_PUBLIC_URL,
  }),
}

const readGrpcPort = (text: string): number | undefined => (text === 'off' ? undefined : readPort(text))

/** How its server behaves towards those who call. */
export const serving = {
  properties: {
    HEARTBEAT_MS: whole(100, defaultSettings.heartbeat),
    CORS_ORIGINS: { type: 'string', pattern: patterns.CORS_ORIGINS },
  },
  read: (values) => ({ heartbeat: values.HEARTBEAT_MS, corsOrigins: readOrigins(values.CORS_ORIGINS) }),
} satisfies Part<object>
