// 17: the card that only callers with a token may read.
import { version } from '../actor.ts'
import { scenario } from '../story.ts'

export default scenario({
  title: 'The extended card, for callers who show who they are',
  about: `An agent can keep a part of its card for callers that it knows (§13.3). The public card says that there is more and how to show who
    one is; GetExtendedAgentCard gives the rest. The deployer here knows one caller, and tells it to which environments it deploys.`,
  agents: (secret) => ({ deployer: { env: { CALLER_TOKENS: `release-team:${secret('token')}` } } }),
  async play({ actor, secret }) {
    const stranger = actor('stranger')
    const client = actor('release team')
    const known = { Authorization: `Bearer ${secret('token')}` }

    await stranger.get('deployer', '/.well-known/agent-card.json', {
      headers: version,
      tell: 'The public card is for everybody.',
      notice: `capabilities.extendedAgentCard says that there is an extended card. securitySchemes names the way to authenticate, a bearer token over
        HTTP, and securityRequirements says that every call needs it. Two skills are shown.`,
    })
    await stranger.call(
      'deployer',
      'GetExtendedAgentCard',
      {},
      {
        tell: 'A caller without a token asks for the extended card.',
        notice: `401, with the scheme in WWW-Authenticate: over JSON-RPC too this error keeps its HTTP status, for clients and proxies that know
        nothing of A2A.`,
      },
    )
    await stranger.get('deployer', '/a2a/extendedAgentCard', {
      headers: { ...version, Authorization: 'Bearer a-token-that-nobody-gave-out' },
      tell: 'Another one guesses, over HTTP+JSON.',
      notice:
        'The same refusal in the shape of this binding. invalid_token says that it is the token that does not hold (RFC 6750); which there are is not told.',
    })
    await client.call(
      'deployer',
      'GetExtendedAgentCard',
      {},
      {
        headers: known,
        tell: 'The release team has a token. It stands in this header alone, and in no message.',
        notice: `The whole card, with a skill for each environment: staging is open, and production is frozen. It takes the place of the public card for as
        long as the caller is authenticated (§3.1.11).`,
      },
    )
    await client.get('deployer', '/a2a/extendedAgentCard', {
      headers: { ...version, ...known },
      tell: 'The same over HTTP+JSON.',
      notice: 'Cache-Control is private: a cache that several callers share must not keep this card.',
    })
  },
})
