# Three images: mock (with the checked proxy in front of it), proxy and verify. CI builds them: .github/workflows/docker.yaml.
# docker build -t animal-store . && docker run --rm -p 127.0.0.1:4010:4010 -p 127.0.0.1:4011:4011 animal-store
# docker build -t animal-store-verify --target verify .
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm pack --workspaces \
  && npm install --prefix /app --ignore-scripts /source/animal-store-mock-*.tgz /source/animal-store-proxy-*.tgz \
  && npm install --prefix /suite --ignore-scripts /source/animal-store-contract-tests-*.tgz

FROM node:24-alpine AS base
LABEL org.opencontainers.image.title="Animal Store tools" \
  org.opencontainers.image.description="A mock, a checked proxy and a contract suite for the Animal Store Service" \
  org.opencontainers.image.licenses="MIT" org.opencontainers.image.version="0.1.0"
ENV PATH=/app/node_modules/.bin:$PATH
USER node

FROM base AS verify
COPY --from=build /suite/node_modules /app/node_modules
ENTRYPOINT ["animal-store-verify"]

FROM base AS proxy
COPY --from=build /app/node_modules /app/node_modules
EXPOSE 4011
ENTRYPOINT ["animal-store-proxy", "--host", "0.0.0.0"]

FROM base AS mock
COPY --from=build /app/node_modules /app/node_modules
# Other machines reach a container, so the control API requires a token: docker run -e ANIMAL_STORE_ADMIN_TOKEN=…
# It can be reached as localhost, by an IP address, or by the names in ANIMAL_STORE_ALLOW_HOST.
ENV ANIMAL_STORE_HOST=0.0.0.0
EXPOSE 4010 4011
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s --start-interval=1s \
  CMD wget -q --no-check-certificate -O /dev/null "http${ANIMAL_STORE_TLS_CERT:+s}://127.0.0.1:${ANIMAL_STORE_PORT:-${PORT:-4010}}/health"
ENTRYPOINT ["animal-store-mock"]
