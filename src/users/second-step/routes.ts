import { getPrincipal, requireConfirmed } from '../../access/index.ts';
import { waitForLookUpCaches } from '../../platform/database/index.ts';
import {
  getNetwork,
  requireJsonType,
  UNCACHED_HEADERS,
  type Server,
} from '../../platform/http/index.ts';
import type { PeopleOptions } from '../options.ts';
import { sendNothing } from '../replies.ts';
import * as documents from './document.ts';
import { beginSecondStep, confirmSecondStep, endSecondStep, hasSecondStep } from './service.ts';

/** Adds the routes by which a person turns their second step on and off. */
export function secondStepRoutes(
  app: Server,
  { db, secretKey, sessions, countGuess }: PeopleOptions,
): void {
  const session = { config: { scope: 'session' } } as const;
  const withBody = { ...session, preParsing: requireJsonType } as const;

  const begin = { schema: documents.beginSecondStep, ...session };
  app.post('/me/second-step', begin, async (request, reply) => {
    const principal = getPrincipal(request);
    if (await hasSecondStep(db, principal)) requireConfirmed(principal);
    return reply.headers(UNCACHED_HEADERS).send(await beginSecondStep(db, principal, secretKey));
  });

  const turnOn = { schema: documents.confirmSecondStep, ...withBody };
  app.post('/me/second-step/confirm', turnOn, async (request, reply) => {
    const principal = getPrincipal(request);
    const { accountId, actor } = principal;
    const person = `${accountId}\n${actor.id}`;
    const guess = { network: getNetwork(request.ip), person, isKnownNetwork: true };
    const recoveryCodes = await countGuess(guess, () =>
      sessions.clearAfter(() => confirmSecondStep(db, principal, request.body.code, secretKey)),
    );
    // Until then, other processes may refuse requests since the second step is missing.
    await waitForLookUpCaches();
    return reply.headers(UNCACHED_HEADERS).send({ recoveryCodes });
  });

  const turnOff = { schema: documents.endSecondStep, ...session };
  app.delete('/me/second-step', turnOff, async (request, reply) => {
    requireConfirmed(getPrincipal(request));
    await sessions.clearAfter(() => endSecondStep(db, getPrincipal(request)));
    return sendNothing(reply);
  });
}
