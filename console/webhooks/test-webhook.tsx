import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Webhook } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { nameWebhook } from './queries.ts';
import { describeAnswer } from './status.tsx';
import { texts } from './texts.ts';

interface TestResult {
  delivered: boolean;
  httpStatus: number | null;
  ms: number;
  error: string | null;
}

/** The dialog that sends a test event and shows the result. */
export function TestWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queries = useQueryClient();
  const [result, setResult] = useState<TestResult>();
  const title = texts.testTitle(nameWebhook(webhook));

  async function send(): Promise<void> {
    setResult(undefined);
    const { data } = await api.POST('/webhooks/{webhookId}/test', {
      params: { path: { webhookId: webhook.id } },
      body: {},
      // Never retry: each attempt would send another event.
      retries: 0,
    });
    setResult(data);
    await queries.invalidateQueries({ queryKey: ['webhook'] });
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form label={title} onSubmit={send}>
        <p>{texts.testExplain(webhook.url)}</p>
        <div role="status">
          {result?.delivered === true && (
            <Notice title={texts.testArrived}>{describeAnswer(result)}</Notice>
          )}
        </div>
        {result?.delivered === false && (
          <Notice look="error" title={texts.testFailed}>
            {describeAnswer(result)}
          </Notice>
        )}
        <FormButtons
          action={result === undefined ? texts.testAction : texts.testAgain}
          cancel={texts.done}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
