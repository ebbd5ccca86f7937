import PinholeModel
extension Certificate { var notAfter: Timestamp { Timestamp(seconds: 0) }
 var notBefore: Timestamp { Timestamp(seconds: 0) }
 var subjectAlternativeNames: [Host] { [] }
 var spkiSHA256: [UInt8] { [] } }
