// Loads a URL with Node and prints status and SHA-256.
//
// `fetch` takes the proxy from the environment (NODE_USE_ENV_PROXY=1) from Node 22.21 and 24.5 on.
// Before that it goes past every proxy, so the CONNECT is sent by hand and `https` runs on its socket.
// The CA comes from NODE_EXTRA_CA_CERTS either way.
import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';

const url = new URL(process.argv[2]);
const proxy = new URL(process.env.HTTPS_PROXY ?? process.env.https_proxy);
const knowsEnvironment = process.allowedNodeEnvironmentFlags.has('--use-env-proxy');

function report(status, body) {
    if (status !== 200) throw new Error(`status ${status}`);
    console.log(status, createHash('sha256').update(body).digest('hex'));
}

async function byFetch() {
    if (process.env.NODE_USE_ENV_PROXY !== '1') throw new Error('NODE_USE_ENV_PROXY is not 1');
    const response = await fetch(url);
    report(response.status, Buffer.from(await response.arrayBuffer()));
}

function connect() {
    const authority = `${url.hostname}:${url.port || 443}`;
    return new Promise((resolve, reject) => {
        http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: authority })
            .on('connect', (response, socket) => {
                if (response.statusCode === 200) resolve(socket);
                else reject(new Error(`the proxy answered ${response.statusCode} to CONNECT`));
            })
            .on('error', reject)
            .end();
    });
}

async function byHand() {
    const socket = await connect();
    const agent = new https.Agent();
    agent.createConnection = () => tls.connect({ socket, servername: url.hostname });
    const response = await new Promise((resolve, reject) => {
        https.get(url, { agent }, resolve).on('error', reject);
    });
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    report(response.statusCode, Buffer.concat(chunks));
    agent.destroy();
    socket.destroy();
}

console.error(`node ${process.version}: ${knowsEnvironment ? 'fetch' : 'https over a CONNECT by hand'}`);
try {
    await (knowsEnvironment ? byFetch() : byHand());
} catch (error) {
    console.error(error);
    process.exitCode = 1;
}
