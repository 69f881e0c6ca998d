# The arena's image: web server, worker and beat are the same image with another command (see compose.yaml).

FROM debian:12-slim AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY requirements/build.txt requirements/server.txt requirements/
RUN python3 -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements/build.txt \
    && python3 -m venv /opt/arena \
    && /opt/arena/bin/pip install --no-cache-dir --require-hashes -r requirements/server.txt
COPY pyproject.toml setup.py README.md ./
COPY bots_sdk bots_sdk
COPY sandbox sandbox
COPY arena arena
# The wheel carries the game compiled; without a working compiler the build must fail here, not play slowly.
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /tmp/wheel . \
    && /opt/arena/bin/pip install --no-cache-dir --no-deps /tmp/wheel/*.whl \
    && rm -rf /opt/arena/lib/python3*/site-packages/arena \
    && ls /opt/arena/lib/python3*/site-packages/bots_sdk/durak/state.*.so

FROM debian:12-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /var/lib/arena --no-create-home --shell /usr/sbin/nologin arena \
    && install -d -o arena -g arena -m 0750 /var/lib/arena
COPY --from=build /opt/arena /opt/arena
WORKDIR /srv/arena
COPY manage.py ./
COPY arena arena
COPY templates templates
COPY docs docs
ENV PATH=/opt/arena/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=arena.settings \
    ARENA_DATA=/var/lib/arena
USER arena
EXPOSE 8000
CMD ["uvicorn", "arena.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "off", "--limit-concurrency", "1000"]
