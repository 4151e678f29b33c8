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
import { IMPORT_ASKED, IMPORTS } from './channels.ts';
import { STATEMENTS } from '../database/index.ts';
import { noteTrace, type Answered, type Observe, type Server } from '../http/index.ts';
import { version } from '../config/index.ts';

/** How long the end of the process waits for what was not sent yet. */
const SHUTDOWN_MS = 500;

export interface Traces {
  /** Begins the span of each request. To be called before any hook is added. */
  register: (server: Server) => void;
  /** Ends it. */
  observe: Observe;
  close: () => Promise<void>;
}

interface TracesOptions {
  /** Which share of the traces that begin here is sent. */
  share: number;
  delayMs: number;
  logger: Logger;
}

/**
 * Sends OpenTelemetry traces: a span for each request, below it one for each statement by its name, and for each
 * transaction of imports one that is linked with the requests whose imports it has. No span has a value, an address or
 * a name that a client sent. What OTEL_EXPORTER_OTLP_… say of the way there, the exporter reads by itself.
 */
export function startTraces({ share, delayMs, logger }: TracesOptions): Traces {
  const refuse = (): void => logger.warn('traces could not be sent');
  const quiet = (): void => undefined;
  diag.setLogger(
    { error: refuse, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    DiagLogLevel.ERROR,
  );
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'offplan', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: delayMs }),
    ],
  });
  const tracer = provider.getTracer('offplan', version);
  const active = new AsyncLocalStorage<Span | undefined>();
  const requests = new WeakMap<Answered, Span>();
  const stopTracing = [traceStatements(), traceImports()];

  function register(server: Server): void {
    server.addHook('onRequest', (request, _reply, done) => {
      const { method, id, headers, routeOptions } = request;
      const attributes = {
        'http.request.method': method,
        'http.route': routeOptions.url,
        'offplan.request_id': id,
      };
      const name = `${method} ${routeOptions.url ?? ''}`.trimEnd();
      const parent = remoteParent(headers['traceparent']);
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      requests.set(request, span);
      noteTrace(request, span.spanContext().traceId);
      active.run(span, done);
    });
  }

  function observe(request: Answered, status: number): void {
    const span = requests.get(request);
    if (span === undefined) return;
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) fail(span, String(status));
    span.end();
  }

  function traceStatements(): () => void {
    const spans = new WeakMap<object, Span>();
    STATEMENTS.start.bindStore(active, (statement) => {
      const parent = active.getStore();
      // What runs for no request, such as a sweep, would be a trace of one span.
      if (parent === undefined) return undefined;
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': statement.name };
      const options = { kind: SpanKind.CLIENT, attributes };
      spans.set(statement, tracer.startSpan(statement.name, options, below(parent)));
      return parent;
    });
    return ending(STATEMENTS, spans);
  }

  function traceImports(): () => void {
    const askedBy = new WeakMap<object, Span>();
    const spans = new WeakMap<object, Span>();
    const noteAsker = (submission: unknown): void => {
      const asker = active.getStore();
      if (asker !== undefined) askedBy.set(submission as object, asker);
    };
    IMPORT_ASKED.subscribe(noteAsker);
    IMPORTS.start.bindStore(active, (imports) => {
      const { submissions } = imports;
      const askers = submissions.flatMap((each) => askedBy.get(each) ?? []);
      const attributes = { 'offplan.requests': submissions.length };
      // One request's transaction is a part of it; one of several is a part of none, and linked with each.
      const [asker] = askers;
      const parent = askers.length === 1 && asker ? below(asker) : ROOT_CONTEXT;
      const links =
        askers.length === 1 ? [] : askers.map((each) => ({ context: each.spanContext() }));
      const span = tracer.startSpan('import', { attributes, links }, parent);
      for (const each of askers.length === 1 ? [] : askers)
        each.addLink({ context: span.spanContext() });
      spans.set(imports, span);
      return span;
    });
    const stop = ending(IMPORTS, spans);
    return () => {
      IMPORT_ASKED.unsubscribe(noteAsker);
      stop();
    };
  }

  /** Ends the spans of what a channel traces. */
  function ending<T extends object>(
    tracing: TracingChannel<unknown, T>,
    spans: WeakMap<object, Span>,
  ): () => void {
    const handlers = {
      start: quiet,
      end: quiet,
      asyncStart: quiet,
      error: (message: T & { error: unknown }) => {
        const span = spans.get(message);
        if (span) fail(span, errorType(message.error));
      },
      asyncEnd: (message: T) => spans.get(message)?.end(),
    };
    tracing.subscribe(handlers);
    return () => {
      tracing.unsubscribe(handlers);
      tracing.start.unbindStore(active);
    };
  }

  async function close(): Promise<void> {
    for (const stop of stopTracing) stop();
    await Promise.race([
      provider.shutdown().catch(() => undefined),
      sleep(SHUTDOWN_MS, undefined, { ref: false }),
    ]);
    diag.disable();
  }

  return { register, observe, close };
}

function below(parent: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, parent);
}

// A message can quote values, a SQLSTATE cannot.
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  return code ?? name ?? typeof error;
}

/** The caller's span, https://www.w3.org/TR/trace-context/. */
function remoteParent(header: string | string[] | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/.exec(String(header)) ??
    [];
  const parent = { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
