# The server. Runs as a user of no rights with a read-only root; only /data is written.
#   docker build -t log-query-endpoints .
#   docker run --read-only --tmpfs /tmp -v logs:/data -p 8080:8080 -e LQE_BOOTSTRAP_TOKEN log-query-endpoints
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json console/
RUN npm ci --no-audit --no-fund
COPY tools tools
COPY contract contract
COPY compiler compiler
COPY server server
COPY console console
COPY src/language src/language
COPY src/builder src/builder
COPY scripts scripts
RUN npm run build && npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production LQE_HOST=0.0.0.0 LQE_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/build build
COPY package.json sources.yaml ./
COPY endpoints endpoints
COPY scripts scripts
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.LQE_PORT || 8080) + '/health/ready').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "build/bin/server.js"]
