# The portal as an image: docker build -t podium .
# How to run it: compose.yaml and docs/operations.md (Containers). It needs DATABASE_URL, and writes only to /data.

FROM node:26.10.0-bookworm-slim AS web
WORKDIR /podium
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci
COPY tsconfig.json ./
COPY contract contract
COPY web web
COPY scripts scripts
RUN node scripts/build-web.ts

FROM node:26.10.0-bookworm-slim AS packages
WORKDIR /podium
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY server/src/platform/db/embedded-links.mjs server/src/platform/db/
# The links are for `restore --check`: later the root may be read-only.
RUN npm ci --omit=dev --workspace @podium/server --workspace @podium/contract --include-workspace-root=false \
  && node server/src/platform/db/embedded-links.mjs

FROM node:26.10.0-bookworm-slim
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin podium \
  && install -d -o podium -g podium -m 0700 /data
WORKDIR /podium
COPY package.json ./
COPY --from=packages /podium/node_modules node_modules
COPY contract/package.json contract/
COPY contract/src contract/src
COPY server/package.json server/
COPY server/migrations server/migrations
COPY server/seed server/seed
COPY server/src server/src
COPY --from=web /podium/web/dist web/dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data DRAIN_SECONDS=10
USER podium
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/src/main.ts"]
