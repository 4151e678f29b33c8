import { AsyncLocalStorage } from 'node:async_hooks';
import type { TracingChannel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  diag,
  DiagLogLevel,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { version } from '../config/index.ts';
import { STATEMENTS } from '../database/index.ts';
import { noteTrace, type AnsweredRequest, type Observe, type Server } from '../http/index.ts';
import { IMPORT_ASKED, IMPORTS } from './channels.ts';

/** `close` waits at most this long for the collector to take the last spans. */
const SHUTDOWN_MS = 500;

/** The traces of requests, which go to the collector in batches. */
export interface Traces {
  /** Starts the span of each request. Call it before any hook is added. */
  register: (server: Server) => void;
  /** Ends the span of a request. */
  observe: Observe;
  close: () => Promise<void>;
}

interface TracesOptions {
  /** The share of the traces that begin here and are sent. */
  share: number;
  delayMs: number;
  logger: Logger;
}

/**
 * Sends OpenTelemetry traces: a span for each request, with a span for each of its statements below it, and a span for each
 * transaction of imports, linked with its requests. No span contains a value, an address or a name that a client sent.
 */
export function startTraces({ share, delayMs, logger }: TracesOptions): Traces {
  reportErrors(logger);
  const provider = createProvider(share, delayMs);
  const tracer = provider.getTracer('offplan', version);
  /** The span that is the parent of the next one in this async context. */
  const active = new AsyncLocalStorage<Span | undefined>();
  /** The spans of requests, statements and transactions of imports. A submission has the span of its request. */
  const spans = new WeakMap<object, Span>();

  function register(server: Server): void {
    server.addHook('onRequest', (request, _reply, done) => {
      const { method, id, headers, routeOptions } = request;
      const attributes = {
        'http.request.method': method,
        'http.route': routeOptions.url,
        'offplan.request_id': id,
      };
      const name = `${method} ${routeOptions.url ?? ''}`.trimEnd();
      const parent = readRemoteParent(headers['traceparent']);
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      spans.set(request, span);
      noteTrace(request, span.spanContext().traceId);
      active.run(span, done);
    });
  }

  function observe(request: AnsweredRequest, status: number): void {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', status);
    if (status >= 500) markFailed(span, String(status));
    span?.end();
  }

  function startStatement(statement: { name: string }): Span | undefined {
    const parent = active.getStore();
    // A statement outside of a request, such as one of a sweep, would be a trace with one span.
    if (parent === undefined) return undefined;
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': statement.name };
    const options = { kind: SpanKind.CLIENT, attributes };
    spans.set(statement, tracer.startSpan(statement.name, options, contextBelow(parent)));
    return parent;
  }

  function noteRequest(submission: unknown): void {
    const request = active.getStore();
    if (request !== undefined) spans.set(submission as object, request);
  }

  // The span of one submission's transaction is below the span of its request. That of several submissions has no parent, and is
  // linked with each request.
  function startImport(imports: { submissions: object[] }): Span {
    const requests = imports.submissions.flatMap((each) => spans.get(each) ?? []);
    const [request] = requests;
    const isShared = requests.length > 1;
    const parent = request && !isShared ? contextBelow(request) : ROOT_CONTEXT;
    const span = tracer.startSpan(
      'import',
      {
        attributes: { 'offplan.requests': imports.submissions.length },
        links: isShared ? requests.map((each) => ({ context: each.spanContext() })) : [],
      },
      parent,
    );
    if (isShared) for (const each of requests) each.addLink({ context: span.spanContext() });
    spans.set(imports, span);
    return span;
  }

  /** Subscribes to a channel. `start` starts the span of a message, and returns the span that is active during its work. */
  function follow<T extends object>(
    tracing: TracingChannel<unknown, T>,
    start: (message: T) => Span | undefined,
  ): () => void {
    const handlers = {
      start: ignore,
      end: ignore,
      asyncStart: ignore,
      error: (message: T & { error: unknown }) =>
        markFailed(spans.get(message), readErrorType(message.error)),
      asyncEnd: (message: T) => spans.get(message)?.end(),
    };
    tracing.start.bindStore(active, start);
    tracing.subscribe(handlers);
    return () => {
      tracing.unsubscribe(handlers);
      tracing.start.unbindStore(active);
    };
  }

  const unfollow = [follow(STATEMENTS, startStatement), follow(IMPORTS, startImport)];
  IMPORT_ASKED.subscribe(noteRequest);

  async function close(): Promise<void> {
    for (const stop of unfollow) stop();
    IMPORT_ASKED.unsubscribe(noteRequest);
    await Promise.race([
      provider.shutdown().catch(ignore),
      sleep(SHUTDOWN_MS, undefined, { ref: false }),
    ]);
    diag.disable();
  }

  return { register, observe, close };
}

function ignore(): void {}

function reportErrors(logger: Logger): void {
  // The exporter describes an error as JSON. `code` is an HTTP status or an error code of the network. The rest may hold the
  // collector's answer, which is not logged.
  const error = (text: string): void => {
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? 'no answer';
    logger.warn(`traces could not be sent: ${code}`);
  };
  const levels = { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(levels, DiagLogLevel.ERROR);
}

// The exporter itself reads OTEL_EXPORTER_OTLP_… from the environment.
function createProvider(share: number, delayMs: number): TracerProvider {
  return new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'offplan', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: delayMs }),
    ],
  });
}

function contextBelow(parent: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, parent);
}

// The type is a code: a message can quote values.
function markFailed(span: Span | undefined, type: string): void {
  span?.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

function readErrorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  return code ?? name ?? typeof error;
}

/** Reads the caller's span from `traceparent`, https://www.w3.org/TR/trace-context/. */
function readRemoteParent(header: string | string[] | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/.exec(String(header)) ??
    [];
  const parent = { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
