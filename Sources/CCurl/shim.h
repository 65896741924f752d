#include <curl/curl.h>
#include <string.h>

// Swift cannot call variadic functions: an option has one type of value, and each type a function.
static inline CURLcode vigil_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vigil_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vigil_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline long vigil_curl_response_code(CURL *handle) {
  long code = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

// Bytes to send, and how many of them libcurl has taken.
struct vigil_upload {
  const char *bytes;
  size_t count;
  size_t taken;
};

static size_t vigil_curl_read(char *buffer, size_t size, size_t number, void *context) {
  struct vigil_upload *upload = (struct vigil_upload *)context;
  size_t left = upload->count - upload->taken;
  size_t count = size * number < left ? size * number : left;
  memcpy(buffer, upload->bytes + upload->taken, count);
  upload->taken += count;
  return count;
}

// The callback is written in C because a pointer to it is passed to a variadic function.
static inline CURLcode vigil_curl_set_upload(CURL *handle, struct vigil_upload *upload) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, vigil_curl_read);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READDATA, upload);
  return code;
}

static size_t vigil_curl_drop(char *bytes, size_t size, size_t number, void *context) {
  (void)bytes;
  (void)context;
  return size * number;
}

// Answers of a server would go to the standard output.
static inline CURLcode vigil_curl_drop_answers(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, vigil_curl_drop);
}
