export {
  apart,
  inPieces,
  paced,
  PIECE,
  PIECE_BESIDE_OTHERS,
  sharing,
  type Pause,
} from './pieces.ts';
export { createPresence, createTurns, type Presence, type TakeTurn } from './turns.ts';
export { createFairQueue } from './fair-queue.ts';
