Feature: What a pod takes by its status
  Once it is placed, all that counts of a pod's claims is what its status records.

  Rule: What a pod requests as a whole is what it takes

    @case:huge-pages-that-a-pod-requests-as-a-whole-hold-those
    @KEP-5517/pod-level-resources/precedence-is-per-resource
    Scenario: Huge pages that a pod requests as a whole hold those of its claim
      Given a pod "p" with the container
        | container | request hugepages-2Mi | limit hugepages-2Mi | claims |
        | main      | 2Mi                   | 2Mi                 | c      |
      And pod "p" requests 8Mi of "hugepages-2Mi" as a whole
      And pod "p" is limited to 8Mi of "hugepages-2Mi" as a whole
      And the status of pod "p" records
        | claim | containers | takes hugepages-2Mi |
        | c     | main       | 4Mi                 |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 8Mi of "hugepages-2Mi"
