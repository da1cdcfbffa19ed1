# Every target here is what CI runs; `make help` lists them.
SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
export CGO_ENABLED := 0
# The same for tests, linter and binary, so that all of them share what is compiled.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)

GO       ?= go
ARGS     ?=
PACKAGES := ./...
# Packages whose tests place calls in real time: each gets the machine to itself.
REAL_TIME := /(line/sip|line/sip/foreign|line/room|media|app|stories|examples)$$
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LINT     := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2

.PHONY: help setup setup-test web build demo test test-long lint generate bench
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

setup: ## install the speech programs that the offline default needs
	@scripts/setup flite pocketsphinx

setup-test: ## the same, and what the tests start: PostgreSQL, foreign SIP programs, Redis, a tracer of system calls, a browser, Node
	@scripts/setup flite pocketsphinx postgresql sipp baresip strace redis chromium node examples

web: ## build the web app into internal/web/dist, when its source is newer
	@scripts/web

build: web ## build bin/ringtrue
	@echo "building bin/ringtrue $(VERSION)" >&2
	@$(GO) build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/ringtrue ./cmd/ringtrue

demo: setup build ## place ten real calls and print the scored report; ARGS="--once --json"
	@bin/ringtrue demo $(ARGS)

test: setup-test ## every test, on both databases; the web app's; what keeps real time, by itself; then the web app in a browser
	@# Without vet, which is one of the linters: it would look through every dependency as well.
	$(GO) test -vet=off -count=1 -timeout 10m $$($(GO) list $(PACKAGES) | grep -vE '$(REAL_TIME)')
	scripts/web check
	$(MAKE) --no-print-directory build
	RINGTRUE_BINARY=$(CURDIR)/bin/ringtrue scripts/realtime $$($(GO) list $(PACKAGES) | grep -E '$(REAL_TIME)')
	node internal/web/app/tests/run.mjs

test-long: setup-test ## everything with the race detector, 120 crashes, every fuzz test, every fault: more than an hour; scripts/long runs parts of it
	@scripts/setup gcc
	REAL_TIME='$(REAL_TIME)' scripts/long

lint: ## golangci-lint with the rules of .golangci.yml
	@# A cache of its own: in a shared one, findings keep the paths of another checkout, which the rules for folders do not match.
	GOLANGCI_LINT_CACHE=$(CURDIR)/bin/.lint-cache $(GO) run $(LINT) run

generate: web ## write the generated documents anew
	$(GO) run ./cmd/ringtrue openapi > docs/openapi.json
	$(GO) run ./scripts/licenses > bin/licenses.txt && mv bin/licenses.txt cmd/ringtrue/licenses.txt

bench: ## the quick version of every benchmark
	@for b in bench/*/; do echo "== $$b"; $(GO) run "./$$b" --quick; done
