import { describe, expect, it } from 'vitest'
import { deployer } from './agent.ts'
import { extendedCard } from './extended-card.ts'
import { dataWithBuilds } from './test-data.ts'

describe('the extended card', () => {
  it('names each environment, and why and until when one is frozen', async () => {
    const { builds, environments } = await dataWithBuilds()
    const { extended } = deployer({ builds, environments })
    expect(
      extended?.skills?.map(({ id, description, tags }) => [id, description, tags.includes('frozen')]),
    ).toEqual([
      ['deploy-to-staging', 'Deploys a build of payments-api to staging. Nothing is frozen there.', false],
      [
        'deploy-to-production',
        'Deploys a build of payments-api to production. Deploys to production are frozen until 2026-10-12: quarter-end close.',
        true,
      ],
    ])
  })

  it('follows the environments that there are', async () => {
    const { environments } = await dataWithBuilds({ environments: [{ name: 'production' }] })
    expect(extendedCard(environments).skills).toMatchObject([
      { id: 'deploy-to-production', description: expect.stringContaining('Nothing is frozen there.') },
    ])
  })
})
