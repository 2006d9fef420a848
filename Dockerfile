# The mock, with the checked proxy beside it. Not built yet, since there was no Docker: its syntax and its commands are tried.
# docker build -t animal-store . && docker run --rm -p 127.0.0.1:4010:4010 -p 127.0.0.1:4011:4011 animal-store
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm pack --workspace mock --workspace proxy && npm install --prefix /app --ignore-scripts /source/*.tgz

FROM node:24-alpine
COPY --from=build /app/node_modules /app/node_modules
# Other machines reach a container, so the control API requires a token: docker run -e ANIMAL_STORE_ADMIN_TOKEN=…
# It can be reached as localhost, by an IP address, or by the names in ANIMAL_STORE_ALLOW_HOST.
ENV PATH=/app/node_modules/.bin:$PATH ANIMAL_STORE_HOST=0.0.0.0
USER node
EXPOSE 4010 4011
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s --start-interval=1s CMD wget -q -O /dev/null http://127.0.0.1:4010/health
CMD ["animal-store-mock"]
