// 01: an agent is found by its card.
import { version } from '../actor.ts'
import { scenario } from '../story.ts'
import { signingKey } from './signing-key.ts'

const path = '/.well-known/agent-card.json'

export default scenario({
  title: 'An agent is found by its card',
  about: `A client knows the address of an agent and nothing else. The agent card, at a path that is the same everywhere (§8.2), says who the
    agent is, what it can do, and where and how it is called. This agent signs its card.`,
  agents: { deployer: { signingKey } },
  async play({ actor }) {
    const client = actor('client')

    const card = await client.get('deployer', path, {
      headers: version,
      tell: 'The client asks for the card, and says that it speaks 1.0.',
      notice: `supportedInterfaces has the addresses, the preferred one first: a client takes the first that it speaks. capabilities says whether
        it may stream, and which extensions there are; the skills say what the agent can be asked. Cache-Control lets the client keep the card for
        a minute, and with the ETag it can ask later whether the card has changed.`,
    })
    await client.get('deployer', path, {
      headers: { ...version, 'If-None-Match': card.headers.etag! },
      tell: 'When the minute is over the client asks whether the card has changed, and names the ETag of the one that it has (§8.6.2).',
      notice: '304: it has not, and nothing is sent again.',
    })
    await client.get('deployer', '/.well-known/jwks.json', {
      tell: `The card has a signature. Its protected header, in base64url, names the algorithm (EdDSA), the key (kid) and the address of the
        keys (jku). The client gets them.`,
      notice: `To verify, the client takes the key of that kid, leaves the field signatures out of the card, brings the rest into its canonical
        form (§8.4.1), and checks the signature over the protected header and that text, as a JSON Web Signature has it (§8.4.3). It must know by
        other means that this address may speak for this agent: whoever forges a card can forge its jku.`,
    })
    await client.get('deployer', path, {
      headers: { 'A2A-Version': '0.3' },
      tell: 'A client of 0.3, the version before 1.0, asks.',
      notice: `Another form: url and preferredTransport name the preferred interface, and additionalInterfaces lists all of them. It has another ETag, and Vary
        tells caches why. It is not signed: a signature is over the card of 1.0.`,
    })
    await client.get('deployer', path, {
      tell: 'Many clients name no version when they ask, also those of 1.0: they do not know yet what the agent speaks.',
      notice: `The card of 1.0, and beside its fields those that a client of 0.3 looks for. The signature covers the card of 1.0 alone, so
        whoever verifies it asks with A2A-Version: 1.0, as in the first request.`,
    })
  },
})
