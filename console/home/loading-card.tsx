import { Card } from '../parts/page/card.tsx';
import { Skeleton } from '../parts/page/states.tsx';

const LINES = 6;

/** A card without figures yet. The page must not say "none" before the answer has arrived. */
export function LoadingCard({ title, className }: { title: string; className?: string }) {
  return (
    <Card title={title} {...(className !== undefined && { className })}>
      <Skeleton lines={LINES} />
    </Card>
  );
}
