#include <curl/curl.h>

// Swift cannot call variadic functions: an option has one type of value, and each type a function.
static inline CURLcode vigil_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vigil_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vigil_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vigil_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vigil_curl_set_context(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

// The type of CURLOPT_READFUNCTION, CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*vigil_curl_callback)(char *bytes, size_t size, size_t number, void *context);

static inline CURLcode vigil_curl_set_callback(CURL *handle, CURLoption option, vigil_curl_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline long vigil_curl_get_long(CURL *handle, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
