# Whether exceptions can be thrown and caught in compiled code.
thrower(x) = x > 1 ? error("thrown") : x
catcher(x) = try thrower(x) catch; 0 end
exit(catcher(2))
