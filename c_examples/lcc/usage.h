/* Help texts. */
#ifndef USAGE_H
#define USAGE_H

extern const char usage_main[];
extern const char usage_demo[];
extern const char usage_sample[];
extern const char usage_certify[];
extern const char usage_fit[];
extern const char usage_predict[];

#endif
