import { Type } from 'typebox';
import { problemResponses, WITH_BODY } from '../../platform/http/index.ts';
import { answerNothing, SESSION_ID } from '../shared-document.ts';
import { SessionList } from '../schemas.ts';

/* The OpenAPI texts of a person's sessions. */

export const listSessions = {
  operationId: 'listSessions',
  tags: ['People'],
  summary: "List one's own sessions",
  description:
    'The latest comes first. There are at most 100: the oldest one ends when another begins.',
  response: {
    200: {
      description: 'The sessions that have not ended.',
      content: {
        'application/json': {
          schema: SessionList,
          example: {
            data: [
              {
                id: SESSION_ID,
                createdAt: '2026-03-31T21:15:09.204Z',
                seenAt: '2026-03-31T21:18:00.120Z',
                userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
                address: '192.0.2.7',
                current: true,
              },
            ],
            pagination: { limit: 100, nextCursor: null, hasNextPage: false },
          },
        },
      },
    },
    ...problemResponses([]),
  },
};

export const endSession = {
  operationId: 'endSession',
  tags: ['People'],
  summary: "End one of one's own sessions",
  params: Type.Object({
    id: Type.String({ description: 'The id of the session.', examples: [SESSION_ID] }),
  }),
  response: {
    ...answerNothing('Ended.'),
    ...problemResponses(['session_not_found', ...WITH_BODY]),
  },
};

export const endSessions = {
  operationId: 'endOtherSessions',
  tags: ['People'],
  summary: "End all one's own sessions but this one",
  response: { ...answerNothing('Ended.'), ...problemResponses(WITH_BODY) },
};
