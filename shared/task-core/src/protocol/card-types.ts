// The agent card and what it is made of, as it stands in JSON (§4.4, §4.5): field names are the specification's.
import type { Struct } from './types.ts'

/** §4.4.6. */
export interface AgentInterface {
  url: string
  protocolBinding: string
  tenant?: string
  protocolVersion: string
}

/** §4.4.5. */
export interface AgentSkill {
  id: string
  name: string
  description: string
  tags: string[]
  examples?: string[]
  inputModes?: string[]
  outputModes?: string[]
  securityRequirements?: SecurityRequirement[]
}

/** §4.4.4. */
export interface AgentExtension {
  uri: string
  description?: string
  required?: boolean
  params?: Struct
}

/** §4.4.3. */
export interface AgentCapabilities {
  streaming?: boolean
  pushNotifications?: boolean
  extensions?: AgentExtension[]
  extendedAgentCard?: boolean
}

/** §4.5.1. Exactly one member is set; of each kind of scheme, only what this kit reads or writes is typed. */
export interface SecurityScheme {
  apiKeySecurityScheme?: { description?: string; location: string; name: string }
  httpAuthSecurityScheme?: { description?: string; scheme: string; bearerFormat?: string }
  oauth2SecurityScheme?: Struct
  openIdConnectSecurityScheme?: { description?: string; openIdConnectUrl: string }
  mtlsSecurityScheme?: { description?: string }
}

/** Schemes that are needed together, each with its scopes. */
export interface SecurityRequirement {
  schemes: { [name: string]: { list?: string[] } }
}

/** §4.4.7. A JWS over the card without its signatures; both texts are base64url. */
export interface AgentCardSignature {
  protected: string
  signature: string
  header?: Struct
}

/** §4.4.1. */
export interface AgentCard {
  name: string
  description: string
  supportedInterfaces: AgentInterface[]
  provider?: { url: string; organization: string }
  version: string
  documentationUrl?: string
  capabilities: AgentCapabilities
  securitySchemes?: { [name: string]: SecurityScheme }
  securityRequirements?: SecurityRequirement[]
  defaultInputModes: string[]
  defaultOutputModes: string[]
  skills: AgentSkill[]
  signatures?: AgentCardSignature[]
  iconUrl?: string
}
