#: before pinhole flows list 'status
own
origin 7080 '/ 200 text/plain tea\n' '* 503 text/plain no tea today\n'
proxy 8080
at 127.0.0.1 www.example3.com shop.example.com
through 8080 http://shop.example.com:7080/
through 8080 http://shop.example.com:7080/
through 8080 'http://www.example3.com:7080/api/items/7?q=tea'
through 8080 'http://www.example3.com:7080/api/items/9?q=tea'
through 8080 'http://www.example3.com:7080/'
recorded 5
#: before cat config.json
echo '{"filters": {"errors": "status >= 400 | failed", "mine": "@errors & !asset"}}' >config.json
