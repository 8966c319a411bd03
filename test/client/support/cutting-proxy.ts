// A TCP proxy in front of a socket that cuts each connection after so many bytes from the service have passed.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Address } from '../../../src/client/address.ts';

export interface CuttingProxy {
  readonly address: Address;
  /** How many connections have been cut. */
  readonly cuts: () => number;
  close(): void;
}

/** Bytes that pass before the cut do arrive; what is behind them is lost. */
export async function cuttingProxy(socketPath: string, bytes: number): Promise<CuttingProxy> {
  let cuts = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(socketPath);
    let left = bytes;
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    near.on('data', (data) => far.write(data));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.on('data', (data) => {
      if (left <= 0) return;
      near.write(data.subarray(0, left));
      left -= data.length;
      if (left > 0) return;
      cuts += 1;
      near.end();
      far.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: { kind: 'tcp', host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    cuts: () => cuts,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
