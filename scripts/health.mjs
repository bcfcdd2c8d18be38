// Ends with 0 if the agent at PORT of this machine runs, else with 1: what a container asks. Its certificate may be for another name than localhost.
import { get as getPlain } from 'node:http'
import { get as getEncrypted } from 'node:https'

const { PORT, TLS_CERT_FILE } = process.env
const [get, scheme] = TLS_CERT_FILE ? [getEncrypted, 'https'] : [getPlain, 'http']
get(`${scheme}://localhost:${PORT}/health`, { rejectUnauthorized: false }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1)
}).on('error', () => process.exit(1))
