"""nginx as an origin that is fast enough not to be what is measured."""
import shutil
import socket
import time

CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 4096; }}
http {{
    access_log off; default_type application/octet-stream; sendfile on; tcp_nodelay on;
    keepalive_timeout 300; keepalive_requests 100000000; client_max_body_size 0;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    server {{ listen 127.0.0.1:{sink}; location / {{ return 204; }} }}
    server {{
        listen 127.0.0.1:{port} ssl{http2}; ssl_certificate {folder}/leaf.pem; ssl_certificate_key {folder}/leaf.key;
        ssl_protocols TLSv1.2 TLSv1.3; root {folder}/files;
        location /protocol {{ return 200 "$server_protocol $ssl_curve\\n"; }}
        location /sink {{ proxy_request_buffering off; proxy_http_version 1.1; proxy_pass http://127.0.0.1:{sink}; }}
    }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port, seconds=20):
    """Waits until somebody listens on `port`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"expected a listener on port {port} within {seconds} s, found none")


def start(run, files, http2=False):
    """Starts nginx with `files`, sizes by name, for HTTP/2 too if it is asked for; gives its port."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if not program:
        raise SystemExit("expected nginx, found none; install it (Debian: nginx-light)")
    # The worker is another user where the master is root.
    run.folder.chmod(0o755)
    (run.folder / "files").mkdir()
    for name, size in files.items():
        (run.folder / "files" / name).parent.mkdir(exist_ok=True)
        with open(run.folder / "files" / name, "wb") as file:
            file.truncate(size)
    port = free_port()
    text = CONFIGURATION.format(folder=run.folder, port=port, sink=free_port(), http2=" http2" if http2 else "")
    (run.folder / "nginx.conf").write_text(text)
    run.start([program, "-c", run.folder / "nginx.conf", "-e", run.folder / "nginx.log"])
    await_port(port)
    return port
