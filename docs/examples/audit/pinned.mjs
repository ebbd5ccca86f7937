// Loads a page with Node and compares the pin of the key in checkServerIdentity.
//
//     pinhole audit --listen 127.0.0.1:0 -- node pinned.mjs {address} {host} {pin}
import { createHash, X509Certificate } from 'node:crypto';
import https from 'node:https';
import tls from 'node:tls';

const [address, host, pin] = process.argv.slice(2);
const [ip, port] = address.split(':');
const checkServerIdentity = (name, certificate) => {
    const fault = tls.checkServerIdentity(name, certificate);
    if (fault) return fault;
    const key = new X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' });
    const found = createHash('sha256').update(key).digest('base64');
    return found === pin ? undefined : new Error(`the key is not the pinned one: ${found}`);
};
https
    .get({ host: ip, port, servername: host, path: '/account', headers: { host }, checkServerIdentity }, (response) => {
        response.pipe(process.stdout);
    })
    .on('error', (error) => {
        console.error(error.message);
        process.exitCode = 1;
    });
