// Loads two URLs, of HTTPS and of HTTP, in each way that a program of Node may, and knows of no proxy.
//
// Prints a line for each way: its name, and the status or the code of the error.
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { connect } from 'node:tls';

const [, , secure, plain, closed] = process.argv;

function get(module, url, options = {}) {
    return new Promise((resolve, reject) => {
        module.get(url, options, (response) => {
            response.resume();
            response.on('end', () => resolve(response.statusCode));
        }).on('error', reject);
    });
}

function byTLS() {
    const { hostname, port, host } = new URL(secure);
    return new Promise((resolve, reject) => {
        const socket = connect({ host: hostname, port, servername: hostname }, () => {
            socket.write(`GET /json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        });
        let text = '';
        socket.on('data', (bytes) => { text += bytes; });
        socket.on('end', () => resolve(text.slice(9, 12)));
        socket.on('error', reject);
    });
}

function byHTTP2() {
    return new Promise((resolve, reject) => {
        const session = http2.connect(secure);
        session.on('error', reject);
        const stream = session.request({ ':path': '/json' });
        stream.on('error', reject);
        stream.on('response', (fields) => resolve(fields[':status']));
        stream.on('end', () => session.close());
        stream.resume();
        stream.end();
    });
}

const ways = {
    'https': () => get(https, secure),
    'http': () => get(http, plain),
    'agent': () => get(https, secure, { agent: new https.Agent({ keepAlive: true }) }),
    'no agent': () => get(https, secure, { agent: false }),
    'fetch': async () => (await fetch(secure)).status,
    'fetch with a body': async () => (await fetch(secure, { method: 'POST', body: 'x'.repeat(300000) })).status,
    'plain fetch': async () => (await fetch(plain)).status,
    'tls': byTLS,
    'http2': byHTTP2,
    'closed port': () => get(https, closed),
};
for (const [name, way] of Object.entries(ways)) {
    try {
        console.log(`${name}: ${await way()}`);
    } catch (error) {
        console.log(`${name}: ${error.code ?? error.cause?.code ?? error}`);
    }
}
