import { Card } from '../parts/card.tsx';
import { Skeleton } from '../parts/states.tsx';

const LINES = 6;

/** A card whose figures are on their way: "none" must not be said before it is known. */
export function LoadingCard({ title, className }: { title: string; className?: string }) {
  return (
    <Card title={title} {...(className !== undefined && { className })}>
      <Skeleton lines={LINES} />
    </Card>
  );
}
