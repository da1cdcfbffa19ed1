# Every target here is what CI runs; `make help` lists them.
SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
export CGO_ENABLED := 0

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
	@$(GO) build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/ringtrue ./cmd/ringtrue

demo: setup build ## place ten real calls and print the scored report; ARGS="--once --json"
	@bin/ringtrue demo $(ARGS)

test: setup-test ## vet and every test, on both databases; what keeps real time runs after the rest, by itself; then the web app in a browser
	$(GO) vet $(PACKAGES)
	$(GO) test -count=1 -timeout 10m $$($(GO) list $(PACKAGES) | grep -vE '$(REAL_TIME)')
	$(GO) test -count=1 -timeout 15m -p 1 $$($(GO) list $(PACKAGES) | grep -E '$(REAL_TIME)')
	scripts/web check
	$(MAKE) --no-print-directory build
	node internal/web/app/tests/run.mjs

test-long: setup-test ## everything with the race detector, 680 crashes, the whole matrix of faults, every fuzz test: about 80 minutes
	@scripts/setup gcc
	CGO_ENABLED=1 $(GO) test -race -count=1 -timeout 30m $$($(GO) list $(PACKAGES) | grep -vE '$(REAL_TIME)')
	RINGTRUE_LONG=1 CGO_ENABLED=1 $(GO) test -race -count=1 -timeout 30m -p 1 $$($(GO) list $(PACKAGES) | grep -E '$(REAL_TIME)')
	$(GO) run ./bench/crash -n 300
	CGO_ENABLED=1 $(GO) build -race -o bin/ringtrue-race ./cmd/ringtrue
	$(GO) run ./bench/crash -n 40 --binary bin/ringtrue-race
	scripts/fuzz 30s
	$(GO) run ./bench/faults

lint: ## golangci-lint with the rules of .golangci.yml
	@# A cache of its own: in a shared one, findings keep the paths of another checkout, which the rules for folders do not match.
	GOLANGCI_LINT_CACHE=$(CURDIR)/bin/.lint-cache $(GO) run $(LINT) run

generate: ## write the generated documents anew
	$(GO) run ./cmd/ringtrue openapi > docs/openapi.json

bench: ## the quick version of every benchmark
	@for b in bench/*/; do echo "== $$b"; $(GO) run "./$$b" --quick; done
