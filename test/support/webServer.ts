import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WebServer {
  /** `127.0.0.1:PORT` */
  host: string;
  /** `http://127.0.0.1:PORT` */
  origin: string;
  port: number;
  /** Paths that were asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** A real web server on loopback, for tests. */
export async function startWebServer(listener: RequestListener): Promise<WebServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  // A client that goes away in the middle of an answer is what some tests are about.
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    port,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
