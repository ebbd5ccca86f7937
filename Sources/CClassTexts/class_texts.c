#include "class_texts.h"

static const unsigned char en[] = {
#embed "lessons.en.md"
    ,
#embed "more.en.md"
};
static const unsigned char de[] = {
#embed "lessons.de.md"
    ,
#embed "more.de.md"
};
static const unsigned char client[] = {
#embed "client.py"
};

const unsigned char *pinhole_lessons_en(size_t *count) {
    *count = sizeof en;
    return en;
}

const unsigned char *pinhole_lessons_de(size_t *count) {
    *count = sizeof de;
    return de;
}

const unsigned char *pinhole_client_py(size_t *count) {
    *count = sizeof client;
    return client;
}
