// How much of anything an agent takes.
import { defaultSettings } from '../settings.ts'
import { type Part, whole } from './part.ts'

export const limits = {
  properties: {
    MAX_BODY_BYTES: whole(1024, defaultSettings.maxBody),
    MAX_PARTS: whole(1, defaultSettings.maxParts),
    MAX_METADATA_BYTES: whole(2, defaultSettings.maxMetadata),
    MAX_HISTORY: whole(1, defaultSettings.maxHistory),
    MAX_HISTORY_BYTES: whole(1024, defaultSettings.maxHistoryBytes),
    MAX_ARTIFACTS: whole(1, defaultSettings.maxArtifacts),
    MAX_ARTIFACT_BYTES: whole(1024, defaultSettings.maxArtifactBytes),
    MAX_PUSH_CONFIGS: whole(1, defaultSettings.maxPushConfigs),
  },
  read: (values) => ({
    maxBody: values.MAX_BODY_BYTES,
    maxParts: values.MAX_PARTS,
    maxMetadata: values.MAX_METADATA_BYTES,
    maxHistory: values.MAX_HISTORY,
    maxHistoryBytes: values.MAX_HISTORY_BYTES,
    maxArtifacts: values.MAX_ARTIFACTS,
    maxArtifactBytes: values.MAX_ARTIFACT_BYTES,
    maxPushConfigs: values.MAX_PUSH_CONFIGS,
  }),
} satisfies Part<object>
