FROM node:24.21.0-trixie-slim AS build
WORKDIR /offplan
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build

# Of the dependencies what runs, without the embedded PostgreSQL: DATABASE_URL names one.
FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /offplan
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /offplan
COPY package.json LICENSE ./
COPY --from=dependencies /offplan/node_modules node_modules
COPY --from=build /offplan/dist dist
COPY bin bin
COPY demo demo
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/offplan.js"]
CMD ["serve"]
