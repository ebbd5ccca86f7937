// Loads a URL with Node's http2, which speaks nothing else, through a CONNECT by hand, and prints status and SHA-256.
import { createHash } from 'node:crypto';
import http from 'node:http';
import http2 from 'node:http2';
import tls from 'node:tls';
import { readFileSync } from 'node:fs';

const url = new URL(process.argv[2]);
const proxy = new URL(process.env.HTTPS_PROXY);
const ca = readFileSync(process.env.PINHOLE_CLIENT_CA);

http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: url.host })
    .on('connect', (response, socket) => {
        if (response.statusCode !== 200) throw new Error(`the proxy answered ${response.statusCode}`);
        const createConnection = () => tls.connect({ socket, servername: url.hostname, ca, ALPNProtocols: ['h2'] });
        const session = http2.connect(url.origin, { createConnection });
        const request = session.request({ ':path': url.pathname });
        const hash = createHash('sha256');
        request.on('response', (head) => {
            request.on('data', (piece) => hash.update(piece));
            request.on('end', () => {
                console.log(head[':status'], hash.digest('hex'));
                session.close();
            });
        });
        request.end();
    })
    .end();
