import { Type } from 'typebox';
import {
  answerJson,
  DRY_RUN_QUERY,
  IDEMPOTENCY_KEY_FIELD,
  problemResponses,
  WITH_BODY,
} from '../../../platform/http/index.ts';

const RESULT_EXAMPLE = {
  summary: { changed: 1, unchanged: 0, refused: 0 },
  results: [
    {
      index: 0,
      id: '0195f33f-5d43-7c26-8284-63e7d7d9bfae',
      changes: [{ field: 'price', from: 849_000, to: 870_000 }],
      etag: '"2"',
      problem: null,
    },
  ],
};

export const batchDocument = {
  operationId: 'changeUnits',
  tags: ['Units'],
  summary: 'Change many units',
  description:
    'Changes up to 1,000 units in one transaction: each by its own `set` (`changes`), or all alike (`ids` or `filter`, with ' +
    '`set`, `adjust` or both). A row is refused when its unit is unknown or has another version than `ifMatch`, when its `set` ' +
    'is not valid, and when the unit is in an earlier row. A dry run shows old and new values, with the versions that it has seen: ' +
    'send them as `ifMatch` to store exactly what was shown.',
  querystring: DRY_RUN_QUERY,
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('UnitBatch#'),
  response: {
    ...answerJson('The result for each unit.', 'UnitBatchResult', RESULT_EXAMPLE),
    ...problemResponses(
      ['batch_refused', 'idempotency_key_in_use', 'idempotency_key_reused', ...WITH_BODY],
      { pointer: '/changes', detail: 'Send either changes, ids or a filter.' },
    ),
  },
};
