export { checkAddress } from './address.ts';
export { makeSender, type Sender, type SendResult } from './sender.ts';
export { createSigningKey, makeSecret, signDelivery } from './signature.ts';
