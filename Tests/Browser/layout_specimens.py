"""Sources, and their layouts."""
LAID_OUT = [
    ("script", r"""!function(e,t){"use strict";var n=[1,2],r={a:1,b:"x"};function o(e){return e?t[e]:-1}for(var i=0;i<n.length;i++)o(n[i]);if(e){t()}else for(;;){break}return/re[/]x/g.test(e)?1:2;switch(e){case"a":return 1;default:t({c:function(){return"}"},d:[1,{e:3}]})}const p=async()=>{await t`x${e+`y${1}`}z`;try{a++ +b}catch(e){}finally{}};class A extends B{constructor(){super(),this.z=1}static get q(){return-1}}e.exports=A,t=i++/2,n=a/b/c;import("x").then(e=>e?.default??{});for(const k of[1,2])typeof k=="s"&&delete r[k]}(window,document);/* end */ // bye
var z=1""", r"""!function(e, t) {
  "use strict";
  var n = [1, 2],
  r = { a: 1, b: "x" };
  function o(e) { return e ? t[e] : -1 }
  for (var i = 0; i < n.length; i++) o(n[i]);
  if (e) { t() } else for (;;) { break }
  return /re[/]x/g.test(e) ? 1 : 2;
  switch (e) {
    case "a": return 1;
    default: t({
      c: function() { return "}" },
      d: [1, { e: 3 }]
    })
  }
  const p = async() => {
    await t`x${e+`y${1}`}z`;
    try { a++ + b } catch (e) {} finally {}
  };
  class A extends B {
    constructor() { super(), this.z = 1 }
    static get q() { return -1 }
  }
  e.exports = A,
  t = i++ / 2,
  n = a / b / c;
  import("x").then(e => e?.default ?? {});
  for (const k of[1, 2]) typeof k == "s" && delete r[k]
}(window, document);
/* end */ // bye
var z = 1"""),
    ("script", r"""function kept ( a ) {
    return a
}""", r"""function kept ( a ) {
    return a
}"""),
    ("style", r"""@charset "utf-8";/* a */:root{--x:1px;color:red}a:hover,b>i{background:url(data:image/png;base64,AA==);margin:0 auto!important}@media(max-width:9px){.d::after{content:"}"}}@import url("x;y");x""", r"""@charset "utf-8";
/* a */
:root {
  --x: 1px;
  color: red
}
a:hover,b>i {
  background: url(data:image/png;base64,AA==);
  margin: 0 auto!important
}
@media(max-width:9px) {
  .d::after {
    content: "}"
  }
}
@import url("x;y");
x"""),
    ("html", r"""<!doctype html><html lang=en><head><meta charset=utf-8><title>A &gt; b</title><style>a{b:c}</style><script src="x.js"></script><script type="application/ld+json">{"a":[1]}</script><!-- c --></head><body class="a>b"><p>One <b>two</b> three<p>Four<ul><li>a<li><a href="x">b</a></ul><pre>
 x
   y</pre><table><tr><td>1<td>2<tr><td>3</table><div><div></div><img src=x><br>text</div><script>var d="</div>";
  d=1</script><textarea>
a
</textarea></body></html> 1 < 2""", r"""<!doctype html>
<html lang=en>
  <head>
    <meta charset=utf-8>
    <title>A &gt; b</title>
    <style>
      a {
        b: c
      }
    </style>
    <script src="x.js"></script>
    <script type="application/ld+json">
      {
        "a": [
          1
        ]
      }
    </script>
    <!-- c -->
  </head>
  <body class="a>b">
    <p>
      One <b>two</b> three
    <p>
      Four
    <ul>
      <li>
        a
      <li>
        <a href="x">b</a>
    </ul>
    <pre>
 x
   y</pre>
    <table>
      <tr>
        <td>
          1
        <td>
          2
      <tr>
        <td>
          3
    </table>
    <div>
      <div></div>
      <img src=x><br>
      text
    </div>
    <script>
var d="</div>";
  d=1
    </script>
    <textarea>
a
</textarea>
  </body>
</html>
1 < 2"""),
    ("script", r""""use strict";(function(){var p0=0,p1=1,p2=2,p3=3,p4=4,p5=5,p6=6,p7=7,p8=8,p9=9,p10=10,p11=11,p12=12,p13=13,p14=14,p15=15,p16=16,p17=17,p18=18,p19=19,p20=20,p21=21,p22=22,p23=23,p24=24,p25=25,p26=26,p27=27,p28=28,p29=29;if(x)/"/.test(y)&&z("a  b   c;d{e}");x=1e-7*a+.5E+3;\u{61}=1;if(a)/\(/.test(b)}())""", r""""use strict";
(function() {
  var p0 = 0,
  p1 = 1,
  p2 = 2,
  p3 = 3,
  p4 = 4,
  p5 = 5,
  p6 = 6,
  p7 = 7,
  p8 = 8,
  p9 = 9,
  p10 = 10,
  p11 = 11,
  p12 = 12,
  p13 = 13,
  p14 = 14,
  p15 = 15,
  p16 = 16,
  p17 = 17,
  p18 = 18,
  p19 = 19,
  p20 = 20,
  p21 = 21,
  p22 = 22,
  p23 = 23,
  p24 = 24,
  p25 = 25,
  p26 = 26,
  p27 = 27,
  p28 = 28,
  p29 = 29;
  if (x) /"/.test(y) && z("a  b   c;d{e}");
  x = 1e-7 * a + .5E+3;
  \u{61} = 1;
  if (a) /\(/.test(b)
}())"""),
    ("style", r"""a{content:"x\
y";b:url(it's.png);c:d}e{f:g}""", r"""a {
  content: "x\
y";
  b: url(it's.png);
  c: d
}
e {
  f: g
}"""),
    ("html", r"""<div
  class="card"
  id="one"><p>First</p>
<a
  href="/x">link</a><td> </td><a href=/?q=">x</a><svg><title/><g/></svg><script>var a=`x
  y`;
    b()</script></div>""", r"""<div class="card" id="one">
  <p>First</p>
  <a href="/x">link</a>
  <td> </td>
  <a href=/?q=">x</a>
  <svg>
    <title/>
    <g/>
  </svg>
  <script>
var a=`x
  y`;
    b()
  </script>
</div>"""),
    ("xml", r"""<a
 x="1"
 y="2">t<b
 z="1"/></a>""", r"""<a x="1" y="2">
  t
  <b z="1"/>
</a>"""),
]
