import { Type } from 'typebox';
import { problemResponses, WITH_BODY } from '../../platform/http/index.ts';
import { answerNothing } from '../shared-document.ts';
import { SecondStepCode } from '../schemas.ts';

/* The OpenAPI texts of the second step. */

export const beginSecondStep = {
  operationId: 'beginSecondStep',
  tags: ['People'],
  summary: 'Begin to set up a second step',
  description:
    'Makes the secret for an app (TOTP: SHA-1, 6 digits, 30 seconds). The second step is on when a code of the app was confirmed. ' +
    'When it is on already, the session must be confirmed.',
  response: {
    200: {
      description: 'The secret, in base32 and as the URL that apps read from a QR code.',
      content: {
        'application/json': {
          schema: Type.Object({ secret: Type.String(), url: Type.String() }),
          example: {
            secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
            url: 'otpauth://totp/K%C5%8Dwhai%20Lane:hana%40kowhailane.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=K%C5%8Dwhai%20Lane',
          },
        },
      },
    },
    ...problemResponses(['confirmation_required', ...WITH_BODY]),
  },
};

export const confirmSecondStep = {
  operationId: 'confirmSecondStep',
  tags: ['People'],
  summary: 'Turn the second step on',
  body: Type.Unsafe<{ code: string }>({ ...SecondStepCode, examples: [{ code: '287082' }] }),
  response: {
    200: {
      description:
        'The second step is on. Each recovery code works once in place of a code; they are shown only here.',
      content: {
        'application/json': {
          schema: Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
          example: { recoveryCodes: ['gezdgnbv-gy3tqojq', '…'] },
        },
      },
    },
    ...problemResponses(['sign_in_failed', 'too_many_attempts', ...WITH_BODY], {
      pointer: '/code',
      detail: 'code is required.',
    }),
  },
};

export const endSecondStep = {
  operationId: 'endSecondStep',
  tags: ['People'],
  summary: 'Turn the second step off',
  response: {
    ...answerNothing('The second step is off.'),
    ...problemResponses(['confirmation_required', ...WITH_BODY]),
  },
};
