# The server in a container, from the package that `npm run package` makes:
#
#   npm ci && npm run package
#   docker build --build-arg VERSION=1.0.0 --tag open-policy-server .
#   docker run --read-only --tmpfs /tmp --volume policy-data:/data --publish 3000:3000 \
#     --env AUTH_TYPE=basic --env BASIC_AUTH_PASSWORD=… --env MONGODB_URI=… open-policy-server
#
# It listens outside the container only if AUTH_TYPE is set.

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS unpacked
ARG VERSION
WORKDIR /server
COPY dist/open-policy-server-${VERSION}.tar.gz package.tar.gz
RUN tar -xzf package.tar.gz --strip-components=1 --no-same-owner && rm package.tar.gz && mkdir -m 0700 ../data

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /server
# Everything but the data belongs to root and is read-only.
COPY --from=unpacked /server ./
COPY --from=unpacked --chown=node:node /data /data
VOLUME /data
USER node
EXPOSE 3000
# The main process stops the others; with `docker stop --time 30` no request is cut off.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 CMD ["node", "bin/healthy.mjs"]
CMD ["node", "server.js"]
