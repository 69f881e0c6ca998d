#!/usr/bin/env bash
# Installs what the tests need from the distribution: a browser, a Docker daemon, a base for its images, compilers.
set -euo pipefail

declare -A needed=(
    [chromium]=chromium
    [dockerd]=docker.io
    [docker-compose]=docker-compose
    [crun]=crun
    [runsc]=runsc
    [debootstrap]=debootstrap
    [linux.uml]=user-mode-linux
    [curl]=curl
    [git]=git
    [node]=nodejs
    [/usr/bin/g++]=g++
    [/usr/bin/rustc]=rustc
    [/usr/bin/cargo]=cargo
    [/usr/bin/go]=golang-go
    [/usr/bin/javac]=default-jdk-headless
    [iptables]=iptables
    [/usr/bin/python3-config]=python3-dev
)
missing=()
for command in "${!needed[@]}"; do
    command -v "$command" >/dev/null 2>&1 || missing+=("${needed[$command]}")
done
[ -e /usr/share/java/gson.jar ] || missing+=(libgoogle-gson-java)
[ -e /usr/include/nlohmann/json.hpp ] || missing+=(nlohmann-json3-dev)
compgen -G '/usr/share/cargo/registry/serde_json-*' >/dev/null || missing+=(librust-serde-json-dev)
compgen -G '/usr/share/cargo/registry/rand-[0-9]*' >/dev/null || missing+=(librust-rand-dev)
[ ${#missing[@]} -eq 0 ] && exit 0
echo "The tests need these packages: ${missing[*]}"
if [ "$(id -u)" -ne 0 ]; then
    echo "Install them as root: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# A policy of 101 keeps the packages from starting services of their own.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod +x $policy
    trap 'rm -f $policy' EXIT
fi
apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
