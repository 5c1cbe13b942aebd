# kproto with its compiled core, and nothing else. Build it in the tree: docker build -t kproto .
#   docker run --rm kproto decode 00010000000100066f7264657273ffffffff
#   docker run --rm -v "$PWD:/data:ro" kproto story app.log
#   docker build -t kproto-audit --build-arg EXTRA=[audit] .     # with the audit
FROM rust:1-slim AS rust

FROM python:3.12-slim AS build
RUN apt-get update && apt-get install --no-install-recommends -y gcc libc6-dev
# Debian's own cargo is too old for the core.
COPY --from=rust /usr/local/rustup /usr/local/rustup
COPY --from=rust /usr/local/cargo /usr/local/cargo
ENV RUSTUP_HOME=/usr/local/rustup CARGO_HOME=/usr/local/cargo PATH=/usr/local/cargo/bin:$PATH
COPY . /source
ARG EXTRA=
RUN python -m venv /kproto && /kproto/bin/pip install --no-cache-dir "/source$EXTRA"
# The core is optional for pip: without it the build ends here.
RUN KPROTO_ENGINE=core /kproto/bin/kproto --version

FROM python:3.12-slim
COPY --from=build /kproto /kproto
RUN useradd --create-home kproto
USER kproto
WORKDIR /data
ENTRYPOINT ["/kproto/bin/kproto"]
CMD ["--help"]
