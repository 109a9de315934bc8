# Countersign with a Postgres of its own, run by a system user that no agent can become.
#
#   docker build -t countersign . && docker run -p 7440:7440 -v countersign:/data countersign
#
# and then open https://localhost:7440/. Behind a proxy that does https:
#
#   docker run … countersign serve --listen 0.0.0.0:7440 --trusted-proxy 172.17.0.0/16 --public-url https://review.example.org
#
# DATABASE_URL, when set, is used instead of the Postgres inside. scripts/container-rootfs.sh tries this file without a container engine.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
ENV SQLX_OFFLINE=true
RUN cargo build --release --locked --bin countersign

FROM debian:bookworm-slim
# Debian's package would make a cluster and start it, were it not told.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
 && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/none.conf \
 && apt-get update \
 && apt-get install -y --no-install-recommends postgresql ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin countersign \
 && install -d -o countersign -g countersign -m 0711 /data
COPY --from=build /src/target/release/countersign /usr/local/bin/countersign
USER countersign
ENV COUNTERSIGN_DATA=/data
VOLUME /data
EXPOSE 7440
HEALTHCHECK --interval=10s --timeout=5s --start-period=15s CMD ["countersign", "doctor"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["countersign"]
CMD ["serve", "--listen", "0.0.0.0:7440", "--lan", "--public-url", "https://localhost:7440"]
