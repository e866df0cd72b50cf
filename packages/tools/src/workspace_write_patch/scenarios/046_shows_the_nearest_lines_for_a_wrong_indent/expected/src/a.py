import os

def first():
    return 1

def second():
    return 3

def third():
    x = 1
    return x
